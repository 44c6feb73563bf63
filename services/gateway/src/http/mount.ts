import type { FastifyInstance } from 'fastify';

/** A part of the server that is no route of the interface, and speaks a protocol of its own. */
export type Mount = {
  /** What it answers, so that other methods of its paths are 405. */
  paths: readonly { method: string; path: string }[];
  addTo(app: FastifyInstance): void;
};
