import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBase64 } from '../hash/encoding.ts';
import { emptyRoot, leafHashOfBytes } from '../hash/tree-hash.ts';
import { checkpointText, cosignaturesOf, openCheckpoint, parseCheckpointText } from './checkpoint.ts';
import { NoteError, parseNote } from './signed-note.ts';
import { cosign, noteSigner, openNote, signNote } from './open-note.ts';
import { formatVerifierKey, parseVerifierKey, signatureTypes, verifierKey } from './verifier-key.ts';

/** The documented example and test data of golang.org/x/mod/sumdb/note. */
const published = {
  key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  note: `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`,
};

/** The example of C2SP tlog-cosignature. */
const example = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

const seed = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const log = await noteSigner('registry.example/log', seed(1), signatureTypes.ed25519);
const witness = await noteSigner('witness.example/w1', seed(2), signatureTypes.cosignatureV1);
const text = checkpointText({ origin: 'registry.example/log', size: 3, root: leafHashOfBytes(seed(3)) });
const signed = await signNote(text, log);
const cosigned = `${signed}${await cosign(text, witness, 1_679_315_147)}`;
const trust = { logKey: log.key, witnessKeys: [witness.key] };
const failure = async (note: string, given: Parameters<typeof openCheckpoint>[1] = trust): Promise<unknown> =>
  await openCheckpoint(note, given).then(
    () => 'opened',
    (error: unknown) => (error instanceof NoteError ? `${error.code} ${error.message}` : error),
  );

describe('a note by other signers', () => {
  it('is opened with its published key', async () => {
    const key = parseVerifierKey(published.key);
    expect(formatVerifierKey(key)).toBe(published.key);
    const { signatures, text: opened } = await openNote(published.note, [key]);
    expect(signatures).toEqual([{ key, signedAt: null }]);
    expect(opened.endsWith('problem is.\n')).toBe(true);
    await expect(openNote(published.note.replace('answer', 'Answer'), [key])).rejects.toMatchObject({
      code: 'wrong_signature',
      line: 4,
    });
  });

  it('is parsed into its parts', () => {
    const { text: body, signatures } = parseNote(example);
    expect(parseCheckpointText(body)).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20_852_163 });
    expect(signatures.map(({ keyName, line, signature }) => [keyName, line, signature.length])).toEqual([
      ['example.com/behind-the-sofa', 5, 64],
      ['witness.example.com/w1', 6, 72],
    ]);
  });
});

describe('a checkpoint', () => {
  it("is opened with the log's key, and its cosignature with the witness's", async () => {
    const opened = await openCheckpoint(cosigned, trust);
    expect(opened).toMatchObject({ origin: 'registry.example/log', size: 3, extensions: [], unknown: [] });
    expect(cosignaturesOf(opened)).toEqual([{ key: witness.key, signedAt: new Date('2023-03-20T12:25:47Z') }]);
    expect(await openCheckpoint(cosigned, { logKey: log.key })).toMatchObject({
      unknown: [{ keyName: 'witness.example/w1', keyId: witness.key.keyId }],
    });
  });

  it('fails once any significant character changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(cosigned.length - 1), fc.constantFrom('0', 'A', '\n', ' ', '+'), async (at, char) => {
        fc.pre(cosigned[at] !== char);
        const edited = `${cosigned.slice(0, at)}${char}${cosigned.slice(at + 1)}`;
        // Anyone may sign beside the log: unknown names and key ids are skipped.
        const passesOver = await openCheckpoint(edited, trust).then(
          (opened) => opened.text === text && opened.unknown.length === 1,
          () => false,
        );
        const said = passesOver ? 'passed over' : String(await failure(edited));
        expect(said).toMatch(/^(?:passed over$|malformed_note |wrong_signature |unknown_key )/u);
      }),
      { numRuns: 300 },
    );
  });

  it('reports the faulty part', async () => {
    const other = await noteSigner('registry.example/log', seed(9), signatureTypes.ed25519);
    const [, signature = ''] = signed.split('\n\n');
    const forged = (body: string): string => `${body}\n${signature}`;
    expect(await failure(forged(text.replace('\n3\n', '\n4\n')))).toMatch(
      /^wrong_signature line 5: .*registry\.example/u,
    );
    expect(await failure(await signNote(text, other))).toMatch(/^unknown_key signed by registry\.example\/log \(key/u);
    expect(await failure(await signNote('other.example\n3\nAAAA\n', log))).toMatch(/^malformed_checkpoint line 3: /u);
    expect(await failure(await signNote(`a.example\n03\n${toBase64(emptyRoot)}\n`, log))).toMatch(
      /^malformed_checkpoint line 2: /u,
    );
    expect(await failure(await signNote(text.replace('registry', 'other'), log))).toMatch(/^wrong_origin line 1: /u);
    expect(await failure(signed.trimEnd())).toMatch(/^malformed_note line 5: /u);
    expect(await failure(text)).toMatch(/^malformed_note /u);
    expect(await failure(signed.replace('— ', '- '))).toMatch(/^malformed_note line 5: /u);
    expect(await failure(signed.replace(/=\n$/u, '\n'))).toMatch(/^malformed_note /u);
    expect(await failure(`${text}\n${await cosign(text, witness, 1)}`)).toMatch(/^unknown_key not signed by the log/u);
    expect(await failure('x'.repeat(70_000))).toMatch(/^malformed_note /u);
  });

  it('with a cosignature for another time or of another key fails', async () => {
    const line = await cosign(text, witness, 5);
    const { signatures } = parseNote(`${signed}${line}`);
    expect([...(signatures[1]?.signature.subarray(0, 8) ?? [])]).toEqual([0, 0, 0, 0, 0, 0, 0, 5]);
    const bytes = Uint8Array.from(atob(line.trim().split(' ')[2] ?? ''), (char) => char.charCodeAt(0));
    bytes[11] = 6;
    const later = `— witness.example/w1 ${toBase64(bytes)}\n`;
    expect(await failure(`${signed}${later}`)).toMatch(/^wrong_signature line 6: /u);
  });
});

describe('a verifier key', () => {
  it("of a witness differs from a log's with the same name and bytes", () => {
    const { publicKey } = log.key;
    const asWitness = verifierKey('registry.example/log', signatureTypes.cosignatureV1, publicKey);
    expect(asWitness.keyId).not.toBe(log.key.keyId);
    expect(parseVerifierKey(formatVerifierKey(asWitness))).toEqual(asWitness);
  });

  it.each([
    'PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'PeterNeumanN+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'PeterNeumann+c74f20a3+AhpC2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'PeterNeumann+c74f20a3+ARpc',
    'PeterNeumann+c74f20a3+ARpc!',
    'Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    'c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    '',
  ])('that is incomplete is refused: %s', (vkey) => {
    expect(() => parseVerifierKey(vkey)).toThrow(NoteError);
  });

  it('has a name without spaces and pluses, and 32 bytes', () => {
    const { publicKey } = log.key;
    for (const name of ['', 'a b', 'a+b', 'a\u00a0b', 'a\n'])
      expect(() => verifierKey(name, signatureTypes.ed25519, publicKey)).toThrow(NoteError);
    expect(() => verifierKey('a', signatureTypes.ed25519, publicKey.subarray(1))).toThrow(NoteError);
  });
});
