/**
 * `restateEngine`: makes what a worker binds to a Restate endpoint, a virtual object for runs and a service for
 * their attempts, and can listen as such a worker.
 */
import { createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import {
  createEndpointHandler,
  type ServiceDefinition,
  type VirtualObjectDefinition,
} from "@restatedev/restate-sdk";
import * as shapes from "../../core/kernel/shapes.js";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { checkAllOptions, checkReady } from "../../runtime/for-hosts.js";
import { ENGINE } from "../shared/index.js";
import { effectsService } from "./effects.js";
import { NAME } from "./names.js";
import type { RestateEngineOptions } from "./options.js";
import { runObject } from "./run-object.js";

/** The place at which a worker listens. */
export interface WorkerListenOptions {
  /** Default 9080; 0 for any that is free. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. Another one than this machine's own needs `identityKeys`. */
  readonly hostname?: string | undefined;
  /** Public keys of the servers whose requests are taken, as a server prints its own. */
  readonly identityKeys?: readonly string[] | undefined;
}

/** A worker that listens. */
export interface Worker {
  /** The address to register at the server. */
  readonly url: string;
  /** Takes no more requests, and resolves when all are answered. */
  close(): Promise<void>;
}

/** A worker's part of an engine. */
export interface RestateEngine {
  /** The services that an endpoint of the SDK binds. */
  readonly services: readonly [
    VirtualObjectDefinition<string, unknown>,
    ServiceDefinition<string, unknown>,
  ];
  /**
   * Serves them by HTTP/2.
   * @throws ReckonerError `option.invalid`, `port.notReady`, `services.missing`; errors of the socket as they are
   */
  listen(options?: WorkerListenOptions): Promise<Worker>;
}

/**
 * Makes what a worker binds.
 * @throws ReckonerError `option.invalid`
 */
export function restateEngine(options: RestateEngineOptions): RestateEngine {
  checkAllOptions("restateEngine", options, {
    ...ENGINE,
    name: shapes.TEXT,
    onDelta: shapes.FUNCTION,
    onProgress: shapes.FUNCTION,
    clock: [shapes.hasMethods("now"), "a clock, with now()"],
  });
  mendPromise();
  const { name = NAME } = options;
  const services = [runObject(name, options), effectsService(name, options)] as never;
  return {
    services,
    async listen(where = {}) {
      checkAllOptions("listen", where, LISTEN);
      const { port = 9080, hostname = "127.0.0.1", identityKeys = [] } = where;
      if (identityKeys.length === 0 && !LOOPBACK.test(hostname)) throw open(hostname);
      for (const each of options.reasoners) await checkReady(each, options);
      const handler = createEndpointHandler({
        services: services as never,
        ...(identityKeys.length === 0 ? {} : { identityKeys: [...identityKeys] }),
      });
      return served(createServer(handler), port, hostname);
    },
  };
}

const LISTEN: shapes.Shapes<WorkerListenOptions> = {
  port: shapes.count(0),
  hostname: shapes.TEXT,
  identityKeys: shapes.LIST,
};
const LOOPBACK = /^(?:127(?:\.\d+){3}|::1|localhost)$/;

function open(hostname: string): ReckonerError {
  const message = `A worker that listens at ${hostname} takes whatever anybody sends it; pass identityKeys, or listen at 127.0.0.1.`;
  return new ReckonerError("option.invalid", message, { place: "identityKeys" });
}

async function served(server: Http2Server, port: number, hostname: string): Promise<Worker> {
  const sessions = new Set<{ close(): void }>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  const { port: own } = server.address() as AddressInfo;
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${host}:${own}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.close();
      }),
  };
}

/** The SDK calls `Promise.withResolvers`, which Node 20 has not: the server would try again for ever. */
function mendPromise(): void {
  const promise = Promise as { withResolvers?: () => unknown };
  if (typeof promise.withResolvers === "function") return;
  const withResolvers = () => {
    let resolve: unknown;
    let reject: unknown;
    const made = new Promise((yes, no) => {
      resolve = yes;
      reject = no;
    });
    return { promise: made, resolve, reject };
  };
  Object.defineProperty(Promise, "withResolvers", {
    ...{ value: withResolvers, writable: true, configurable: true },
  });
}
