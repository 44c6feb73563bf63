/** One of the requests that make up the main job, as a line for a shell. */
export type ShellRequest = {
  title: string;
  /** Which key it takes, and from where. */
  by: string;
  /** As it is pasted. */
  command: string;
  /** As it is shown: keys are shortened, for whoever looks over the shoulder. */
  shown: string;
};

/** The reader's keys, null where there is none. */
export type RequestKeys = {
  /** Of an organisation, in the universe of the requests. */
  organisation: string | null;
  isSandbox: boolean;
  /** Of the role admin. `registers`: it is the token of the installation, which registers agents itself and creates no organisation. */
  operator: { key: string; registers: boolean } | null;
  /** An agent of that universe, which calls and reviews. */
  agent: { key: string; agentId: string } | null;
};

/** Keys begin with what they are, such as `registry-org-sk-`; other credentials are shown by nothing. */
const shortened = (key: string): string => `${/^registry-[a-z-]+?-sk-/u.exec(key)?.[0] ?? ''}…`;
/** Within single quotes of a shell. */
const withinQuotes = (text: string): string => text.replaceAll("'", String.raw`'\''`);
const quoted = (text: string): string => `'${withinQuotes(text)}'`;
const json = "-H 'Content-Type: application/json'";
/** Where `npm start` keeps it, seen from the folder in which it runs. */
const adminKey = `ADMIN_KEY="\${ADMIN_KEY:-$(node -p 'require("./.data/secrets.json").ADMIN_KEY')}"`;
const read = (expression: string): string => `node -p 'JSON.parse(fs.readFileSync(0)).${expression}'`;

type Shell = { post: (path: string) => string; keys: RequestKeys };
type Written = Omit<ShellRequest, 'shown'>;

/**
 * The main job in five requests, with the reader's own keys. An agent's key makes the first two superfluous, an organisation's the first one; an
 * operator's creates the organisation, or registers the agent.
 *
 * @param baseUrl Address of the registry, without a slash at the end.
 */
export function fiveRequests(baseUrl: string, keys: RequestKeys): ShellRequest[] {
  const shell: Shell = { post: (path) => `curl -s ${quoted(baseUrl + path)} ${json}`, keys };
  const requests = [
    organisationRequest(shell),
    agentRequest(shell),
    unknownAgentRequest(shell, baseUrl),
    ...dealings(shell),
  ];
  const held = [keys.organisation, keys.operator?.key, keys.agent?.key].filter((key) => key != null);
  return requests.map((request) => ({
    ...request,
    shown: held.reduce((text, key) => text.replaceAll(key, shortened(key)), request.command),
  }));
}

const organisationRequest = ({ post, keys: { organisation, operator, agent, isSandbox } }: Shell): Written => {
  const number = 'N=$RANDOM$RANDOM';
  if (organisation !== null)
    return {
      title: 'Your organisation has its key.',
      by: isSandbox ? "your organisation's sandbox key" : "your organisation's key",
      command: `${number}\nORG_KEY=${quoted(organisation)}`,
    };
  if (agent !== null || operator?.registers === true)
    return { title: 'No organisation is needed.', by: 'no key', command: number };
  const create = (credential: string): string =>
    `ORG_KEY=$(${post('/org/create-key')} -H ${credential} -d '{"org_name":"Acme '$N'","contact_email":"ops@acme.test"}' | ${read('api_key')})`;
  return {
    title: 'An organisation gets its keys.',
    by:
      operator === null
        ? "the installation's ADMIN_KEY, or an operator's key of the role admin"
        : "your operator's key",
    command:
      operator === null
        ? `${number}\n${adminKey}\n${create('"X-Admin-Key: $ADMIN_KEY"')}`
        : `${number}\n${create(quoted(`Authorization: Bearer ${operator.key}`))}`,
  };
};

const agentRequest = ({ post, keys: { operator, agent } }: Shell): Written => {
  if (agent !== null)
    return { title: 'Your agent has its key.', by: "your agent's key", command: `KEY=${quoted(agent.key)}` };
  const register = (credential: string, more: string): string =>
    `KEY=$(${post('/register')} -H ${credential} -d '{"agent_id":"buyer-'$N'"${more}}' | ${read('claim_link')} | xargs curl -s | ${read('agent_key')})`;
  return operator?.registers === true
    ? {
        title: 'You register an agent as a verified one, and redeem its claim link for the agent’s key.',
        by: 'the token of the installation',
        command: register(quoted(`Authorization: Bearer ${operator.key}`), ',"verified":true'),
      }
    : {
        title: 'The organisation registers an agent, and redeems its claim link for the agent’s key.',
        by: "the organisation's key",
        command: register('"X-API-KEY: $ORG_KEY"', ''),
      };
};

const unknownAgentRequest = ({ post, keys: { isSandbox } }: Shell, baseUrl: string): Written => {
  const fields = `"endpoint_url":"${baseUrl}/health","http_methods":["GET"]`;
  return isSandbox
    ? {
        title: 'Another agent of your sandbox. It has 75, as your own agents begin.',
        by: "your organisation's sandbox key",
        command: `${post('/register')} -H "X-API-KEY: $ORG_KEY" -d '{"agent_id":"seller-'$N'",${fields}}' >/dev/null
${post('/verify')} -H "X-API-KEY: $ORG_KEY" -d '{"agent_id":"seller-'$N'"}'; echo`,
      }
    : {
        title: 'An unknown agent registers. Can it be trusted? Not yet: 40, abort.',
        by: 'no key',
        command: `${post('/register')} -d '{"agent_id":"seller-'$N'","contact_email":"me@seller.test",${fields}}' >/dev/null
${post('/verify')} -d '{"agent_id":"seller-'$N'"}'; echo`,
      };
};

const dealings = ({ post, keys: { agent, operator, isSandbox } }: Shell): Written[] => {
  const by = agent === null ? "the agent's key" : "your agent's key";
  const caller = agent === null ? `"buyer-'$N'"` : withinQuotes(JSON.stringify(agent.agentId));
  const message =
    '{"jsonrpc":"2.0","method":"message/send","params":{"message":{"role":"user","parts":[{"kind":"data","content_type":"application/json","content":{"sku":"A-1"}}]}}}';
  const newScore =
    agent === null && operator?.registers !== true ? 'the new score: 44 in a new registry.' : 'the new score.';
  const condition = agent === null ? '' : ', for which your agent needs a score of 50';
  const reviewed = isSandbox
    ? 'Review the exchange. In a sandbox that moves no score.'
    : `Review the exchange${condition}. The answer has ${newScore}`;
  return [
    {
      title: 'Call it through the registry, which records the exchange.',
      by,
      command: `${post('/call')} -H "Authorization: Bearer $KEY" -d '{"caller_agent_id":${caller},"agent_id":"seller-'$N'","message":${message}}'; echo`,
    },
    {
      title: reviewed,
      by,
      command: `${post('/review')} -H "Authorization: Bearer $KEY" -d '{"caller_agent_id":${caller},"receiver_agent_id":"seller-'$N'","success":true,"score":9}'; echo`,
    },
  ];
};
