-- Only routable agents are here: nobody else can be a match.
CREATE TABLE agent_capability (
  universe text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C" NOT NULL,
  weight integer NOT NULL,
  PRIMARY KEY (universe, name, agent_id) INCLUDE (weight)
);
