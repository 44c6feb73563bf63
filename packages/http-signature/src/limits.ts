/** Limits on what is parsed before a signature is verified. Characters are those of the header's text. */
export const signatureLimits = {
  signatureInputCharsMax: 8 * 1024,
  signatureCharsMax: 4 * 1024,
  contentDigestCharsMax: 2 * 1024,
  /** Members of one dictionary: the labels of a message, or the algorithms of a digest. */
  membersMax: 32,
  /** Items of one inner list: the covered components. */
  itemsMax: 64,
  /** Covered `@query-param` components; a signature over more of a query covers `@query`. */
  queryParametersMax: 8,
  /** Parameters of one item, inner list or member. */
  parametersMax: 32,
  /** Characters of the rebuilt signature base; the same header can be covered in several forms. */
  signatureBaseCharsMax: 64 * 1024,
  /** Code points of a keyid; the maximum length of an agent_id. */
  keyIdCharsMax: 128,
  nonceCharsMax: 256,
} as const;
