/** The token in `Authorization: Bearer …`; empty for anything else. */
export function tokenIn(authorization: string): string {
  return /^Bearer +([\x21-\x7e]+)$/iu.exec(authorization)?.[1] ?? '';
}
