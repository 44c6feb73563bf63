CREATE TABLE account (account_id text PRIMARY KEY);
