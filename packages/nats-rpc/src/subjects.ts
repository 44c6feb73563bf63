const tokenPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Throws TypeError unless the text is a valid token of a NATS subject. */
export function requireToken(what: string, token: string): string {
  if (!tokenPattern.test(token)) throw new TypeError(`${what} '${token}' must match ${tokenPattern.source}`);
  return token;
}

/** Where a service listens, in the queue group of its name. */
export function requestSubject(service: string, method: string): string {
  return `rpc.${requireToken('service', service)}.${requireToken('method', method)}`;
}

/** All answers to one instance of a service, from any service. */
export function repliesOf(service: string, instanceId: string): string {
  return `reply.${requireToken('service', service)}.*.${requireToken('instanceId', instanceId)}.>`;
}

/**
 * Subject of the answer to one call. It contains requester and responder, so that permissions can limit who may answer whom, and no service can
 * answer in another's name.
 */
export function replySubject(requester: string, responder: string, instanceId: string, callId: string): string {
  return `reply.${requester}.${responder}.${instanceId}.${callId}`;
}

/** The requester of a reply subject, or null if `responder` may not answer to it. */
export function requesterOf(replyTo: string, responder: string): string | null {
  const [prefix, requester, named, instanceId, callId, ...rest] = replyTo.split('.');
  if (prefix !== 'reply' || !requester || named !== responder || !instanceId || !callId || rest.length > 0) return null;
  return requester;
}

/** Where the opener of a stream sends frames to the instance that serves it. */
export function controlSubject(service: string, instanceId: string, streamId: string): string {
  return `control.${service}.${instanceId}.${streamId}`;
}

export function controlsOf(service: string, instanceId: string): string {
  return `control.${service}.${instanceId}.*`;
}

/** Whether a subject is a control subject of this service: a peer must not be able to make us publish elsewhere. */
export function isControlOf(subject: string, service: string): boolean {
  const [prefix, named, instanceId, streamId, ...rest] = subject.split('.');
  return prefix === 'control' && named === service && !!instanceId && !!streamId && rest.length === 0;
}
