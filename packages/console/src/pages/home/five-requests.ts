/** One of the requests that make up the main job, as a line for a shell. */
export type ShellRequest = {
  title: string;
  /** As it is pasted. */
  command: string;
  /** As it is shown: keys are shortened, for whoever looks over the shoulder. */
  shown: string;
};

export type RequestKeys = { organisation: string | null; operator: string | null };

/** Keys begin with what they are, such as `registry-org-sk-`; other credentials are shown by nothing. */
const shortened = (key: string): string => `${/^registry-[a-z-]+?-sk-/u.exec(key)?.[0] ?? ''}…`;
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const json = "-H 'Content-Type: application/json'";
/** Where `npm start` keeps it, seen from the folder in which it runs. */
const adminKey = `ADMIN_KEY="\${ADMIN_KEY:-$(node -p 'require("./.data/secrets.json").ADMIN_KEY')}"`;
const read = (expression: string): string => `node -p 'JSON.parse(fs.readFileSync(0)).${expression}'`;

/**
 * The main job in five requests, with the reader's own keys. An organisation's key makes the first one superfluous; an operator's creates the
 * organisation.
 *
 * @param baseUrl Address of the registry, without a slash at the end.
 */
export function fiveRequests(baseUrl: string, { organisation, operator }: RequestKeys): ShellRequest[] {
  const post = (path: string): string => `curl -s ${quoted(baseUrl + path)} ${json}`;
  const message =
    '{"jsonrpc":"2.0","method":"message/send","params":{"message":{"role":"user","parts":[{"kind":"data","content_type":"application/json","content":{"sku":"A-1"}}]}}}';
  const first =
    organisation === null
      ? `N=$RANDOM$RANDOM
${operator === null ? `${adminKey}\n` : ''}ORG_KEY=$(${post('/org/create-key')} -H ${operator === null ? '"X-Admin-Key: $ADMIN_KEY"' : quoted(`Authorization: Bearer ${operator}`)} -d '{"org_name":"Acme '$N'","contact_email":"ops@acme.test"}' | ${read('api_key')})`
      : `N=$RANDOM$RANDOM
ORG_KEY=${quoted(organisation)}`;
  const commands: readonly (readonly [title: string, command: string])[] = [
    [organisation === null ? 'An organisation gets its keys.' : 'Your organisation has its key.', first],
    [
      'The organisation registers an agent, and redeems its claim link for the agent’s key.',
      `KEY=$(${post('/register')} -H "X-API-KEY: $ORG_KEY" -d '{"agent_id":"buyer-'$N'"}' | ${read('claim_link')} | xargs curl -s | ${read('agent_key')})`,
    ],
    [
      'An unknown agent registers. Can it be trusted? Not yet: 40, abort.',
      `${post('/register')} -d '{"agent_id":"seller-'$N'","contact_email":"me@seller.test","endpoint_url":"${baseUrl}/health","http_methods":["GET"]}' >/dev/null
${post('/verify')} -d '{"agent_id":"seller-'$N'"}'; echo`,
    ],
    [
      'Call it through the registry, which records the exchange.',
      `${post('/call')} -H "Authorization: Bearer $KEY" -d '{"caller_agent_id":"buyer-'$N'","agent_id":"seller-'$N'","message":${message}}'; echo`,
    ],
    [
      'Review the exchange. The answer has the new score: 44 in a new registry.',
      `${post('/review')} -H "Authorization: Bearer $KEY" -d '{"caller_agent_id":"buyer-'$N'","receiver_agent_id":"seller-'$N'","success":true,"score":9}'; echo`,
    ],
  ];
  const held = [organisation, operator].filter((key) => key !== null);
  return commands.map(([title, command]) => ({
    title,
    command,
    shown: held.reduce((text, key) => text.replaceAll(key, shortened(key)), command),
  }));
}
