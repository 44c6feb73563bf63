/** What the engine needs of a logger; pino's shape. */
export type ProjectionLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export const silentLogger: ProjectionLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };
