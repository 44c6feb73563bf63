-- One key of an organisation for each universe: a new hash replaces the old one, which is what makes the old key fail.
-- Its hash is not unique here: a projection that stopped at a key that was given out twice would stop the whole registry. Queries
-- let such a key open nothing.
ALTER TABLE organisation_key DROP CONSTRAINT organisation_key_pkey, ADD PRIMARY KEY (org_id, universe);
CREATE INDEX organisation_key_by_hash ON organisation_key (key_hash);
