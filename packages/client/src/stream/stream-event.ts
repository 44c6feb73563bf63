/** One server-sent event, as the agent sent it. */
export type StreamEvent = {
  /** `message`, unless the agent names it otherwise. */
  event: string;
  /** The last id of the stream. */
  id: string | null;
  data: string;
  /** The data as JSON; undefined if it is not JSON. */
  json: unknown;
};
