// The types of restate-server.mjs, for tests.
export function freePorts(count: number): Promise<number[]>;
export class RestateServer {
  static start(folder: string): Promise<RestateServer>;
  readonly ingress: string;
  readonly admin: string;
  readonly log: string;
  start(): Promise<void>;
  register(uri: string): Promise<unknown>;
  query(sql: string): Promise<{ readonly [column: string]: unknown }[]>;
  kill(): Promise<void>;
}
