import type { Hostility } from './hostile-agents.ts';

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** A payment that is plausible to an agent that does not verify it. */
export const somePayment = base64({
  x402Version: 1,
  scheme: 'exact',
  network: 'base-sepolia',
  payload: { signature: '0x1' },
});

/** Header lines that claim a settlement, in the form of both versions. */
const settled = (transaction: string): string => {
  const reported = base64({ success: true, transaction, network: 'base-sepolia' });
  return `x-payment-response: ${reported}\r\npayment-response: ${reported}`;
};

/** The answer of an honest seller, whose settlement is recorded. */
export const honestAnswer: Hostility['answer'] = (socket) =>
  void socket.end(`HTTP/1.1 200 OK\r\n${settled('0xb0')}\r\ncontent-length: 2\r\n\r\nok`);

const lie = (name: string, ends: Hostility['unary'], answer: Hostility['answer']): Hostility => ({
  name: `settled, it says: ${name}`,
  answer,
  unary: ends,
  stream: ends,
});
const say =
  (status: string, transaction: string, rest: string): Hostility['answer'] =>
  (socket) =>
    void socket.end(`HTTP/1.1 ${status}\r\n${settled(transaction)}\r\n${rest}`);

/** Sellers that claim a settlement in an unsuccessful or broken answer, each with a different transaction. */
export const lyingSellers: readonly Hostility[] = [
  lie('with 402', ['completed'], say('402 Payment Required', '0x01', 'content-length: 2\r\n\r\n{}')),
  lie('with 500', ['completed'], say('500 Oops', '0x02', 'content-length: 2\r\n\r\n{}')),
  lie('with 302', ['completed'], say('302 Found', '0x03', 'location: /\r\ncontent-length: 0\r\n\r\n')),
  lie('with 600', ['protocol_error'], say('600 Beyond', '0x04', 'content-length: 2\r\n\r\n{}')),
  lie('with 402 without end', ['protocol_error'], say('402 Payment Required', '0x05', 'content-length: 9\r\n\r\n{}')),
  lie(
    'with 101',
    ['protocol_error'],
    say('101 Switching Protocols', '0x06', 'connection: upgrade\r\nupgrade: x\r\n\r\n'),
  ),
  lie('in early hints', ['protocol_error'], say('103 Early Hints', '0x07', '\r\n')),
  lie(
    'in early hints before 500',
    ['completed'],
    say('103 Early Hints', '0x08', '\r\nHTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n'),
  ),
  lie('in a head without end', ['protocol_error', 'unreachable'], say('200 OK', '0x09', 'content-ty')),
  lie(
    'before a huge header',
    ['too_large', 'protocol_error'],
    say('200 OK', '0x0a', `x: ${'y'.repeat(1024 * 1024)}\r\n\r\n`),
  ),
  lie(
    'before two lengths',
    ['protocol_error'],
    say('200 OK', '0x0b', 'content-length: 1\r\ncontent-length: 2\r\n\r\nab'),
  ),
  lie(
    'in trailers',
    ['completed'],
    (socket) =>
      void socket.end(
        `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n${settled('0x0c')}\r\n\r\n`,
      ),
  ),
];
