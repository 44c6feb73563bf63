/** The part of a logger that this package uses; pino's has this shape. */
export type RpcLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export const silentLogger: RpcLogger = { info: () => {}, warn: () => {}, error: () => {} };
