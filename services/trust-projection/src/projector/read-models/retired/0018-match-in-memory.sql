-- Match ranks in memory, from the directory and the standings themselves.
DROP TABLE agent_capability;
DROP INDEX agent_standing_by_match_base;
ALTER TABLE agent_standing DROP COLUMN match_base_rounded;
