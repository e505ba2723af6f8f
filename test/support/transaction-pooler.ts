// A proxy in front of Postgres in PgBouncer's manner: many clients share few sessions, and each transaction may get
// another one. LISTEN and what a session remembers break behind it, and nothing tells so.
import { connect, createServer, type Socket } from "node:net";
import { server } from "./postgres.js";

/** A session with the server; one client has it at a time, until its transaction is over. */
interface Session {
  readonly socket: Socket;
  client: Socket | undefined;
}

const READY = "Z".charCodeAt(0);
const TERMINATE = "X".charCodeAt(0);

/** Cuts a stream into messages: a letter, four bytes of length, the rest. */
class Messages {
  #rest: Buffer = Buffer.alloc(0);

  take(chunk: Buffer): readonly Buffer[] {
    let data = Buffer.concat([this.#rest, chunk]);
    const messages: Buffer[] = [];
    while (data.length >= 5 && data.length >= 1 + data.readUInt32BE(1)) {
      const end = 1 + data.readUInt32BE(1);
      messages.push(data.subarray(0, end));
      data = data.subarray(end);
    }
    this.#rest = data;
    return messages;
  }
}

/** The message with which a client begins. */
function startup(): Buffer {
  const text = `user\0${server.user}\0database\0${server.database}\0\0`;
  const message = Buffer.alloc(8 + text.length);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(196_608, 4);
  message.write(text, 8);
  return message;
}

/** A pooler of transactions. */
export interface Pooler {
  readonly port: number;
  /** The number of transactions that went through each session. */
  readonly served: readonly number[];
  close(): void;
}

/** Opens a pooler with so many sessions on a free port of this machine. */
export async function transactionPooler(sessions: number): Promise<Pooler> {
  const free: Session[] = [];
  const waiting: ((session: Session) => void)[] = [];
  const served = Array<number>(sessions).fill(0);
  const sockets = new Set<Socket>();
  let greeting: readonly Buffer[] = [];

  const release = (session: Session) => {
    session.client = undefined;
    const next = waiting.shift();
    if (next === undefined) free.push(session);
    else next(session);
  };
  const taken = (): Promise<Session> => {
    // The one that was free for longest: hardly ever the same as before.
    const session = free.shift();
    return session === undefined
      ? new Promise((resolve) => waiting.push(resolve))
      : Promise.resolve(session);
  };

  const open = (n: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(server.port, server.host);
      sockets.add(socket);
      const session: Session = { socket, client: undefined };
      const messages = new Messages();
      const hello: Buffer[] = [];
      let isOpen = false;
      socket.setNoDelay(true);
      socket.on("error", reject);
      socket.on("connect", () => socket.write(startup()));
      socket.on("data", (chunk) => {
        for (const message of messages.take(chunk as Buffer)) {
          if (!isOpen) hello.push(message);
          else session.client?.write(message);
          if (message[0] !== READY) continue;
          if (!isOpen) {
            isOpen = true;
            greeting = hello;
            release(session);
            resolve();
          } else if (String.fromCharCode(message[5] as number) === "I") {
            served[n] = (served[n] ?? 0) + 1;
            release(session);
          }
        }
      });
    });
  await Promise.all(Array.from({ length: sessions }, (_, n) => open(n)));

  const listening = createServer((client) => {
    sockets.add(client);
    client.setNoDelay(true);
    client.on("error", () => {});
    const messages = new Messages();
    let isGreeted = false;
    let own: Promise<Session> | undefined;
    client.on("data", (chunk) => {
      if (!isGreeted) {
        isGreeted = true;
        for (const message of greeting) client.write(message);
        return;
      }
      for (const message of messages.take(chunk as Buffer)) {
        if (message[0] === TERMINATE) {
          client.end();
          return;
        }
        own ??= taken().then((session) => {
          session.client = client;
          return session;
        });
        const mine = own;
        void mine.then((session) => {
          // The session may be another's by now: then a transaction of its own begins.
          if (session.client !== client) return;
          session.socket.write(message);
        });
      }
    });
    // Whose transaction is over takes another session for the next.
    const write = client.write.bind(client);
    client.write = ((message: Buffer) => {
      if (isGreeted && message[0] === READY && String.fromCharCode(message[5] as number) === "I") {
        own = undefined;
      }
      return write(message);
    }) as never;
  });
  const port = await new Promise<number>((resolve) => {
    listening.listen(0, "127.0.0.1", () => resolve((listening.address() as { port: number }).port));
  });
  return {
    port,
    served,
    close() {
      listening.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
