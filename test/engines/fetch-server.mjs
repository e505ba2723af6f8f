// The desk, served by Bun or Deno, whichever runs this file; it prints its address.
import { deskHost } from "./fetch-desk.mjs";

const { Bun, Deno } = globalThis;
const { fetch } = deskHost();
const hostname = "127.0.0.1";
if (Bun !== undefined) console.log(Bun.serve({ port: 0, hostname, fetch }).url.href);
else {
  const onListen = ({ port }) => console.log(`http://${hostname}:${port}/`);
  Deno.serve({ port: 0, hostname, onListen }, fetch);
}
