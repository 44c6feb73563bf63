/** Waits of the systems that end-to-end tests share. */

/** CALL_TIMEOUT_MS: short, because tests wait for it; long enough for sixty concurrent calls on a busy machine that also pauses. */
export const callTimeoutMs = 15_000;
/** READ_MODEL_WAIT_MS: while a busy machine brings the read models on, a write is answered late instead of with 503. */
export const readModelWaitMs = 30_000;
