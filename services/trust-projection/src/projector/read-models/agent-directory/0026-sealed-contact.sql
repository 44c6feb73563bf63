-- A contact is what the log has of it: sealed, or in clear where it is older than that. The address for claim links is read by nobody here.
ALTER TABLE agent DROP COLUMN contact_email,
  ALTER COLUMN contact_info TYPE jsonb
    USING CASE WHEN contact_info IS NULL THEN NULL ELSE jsonb_build_object('plain', contact_info) END;
