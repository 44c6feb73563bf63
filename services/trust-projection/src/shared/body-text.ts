/**
 * The body of an answer as text; one that is longer is not read to its end.
 * @param tooLong what is thrown then
 */
export async function bodyText(response: Response, bytesMax: number, tooLong: () => Error): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest of the body.
    if (bytes > bytesMax) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
