/** One server-sent event, as the agent sent it. */
export type StreamEvent = {
  /** `message`, unless the agent names it otherwise. */
  event: string;
  /** The last id that the stream has had. */
  id: string | null;
  data: string;
  /** The data as JSON; undefined where it is none. */
  json: unknown;
};
