// The desk in Workers: a host in an object that takes all requests, and routes over runs that are objects each. A host
// in the Worker itself would not do: what one request began, another cannot wait for.
import { DurableObject } from "cloudflare:workers";
import { DurableRun, durableRuns } from "reckoner/durable-object";
import { runsFetch } from "reckoner/serve";
import { deskHost, deskParts } from "./fetch-desk.mjs";

export class Desk extends DurableObject {
  #runs = deskHost();

  fetch(request) {
    return this.#runs.fetch(request);
  }
}

export class Run extends DurableObject {
  #run;

  constructor(ctx, env) {
    super(ctx, env);
    this.#run = new DurableRun(ctx, deskParts());
  }

  fetch(request) {
    return this.#run.fetch(request);
  }

  alarm() {
    return this.#run.alarm();
  }
}

export default {
  fetch(request, env) {
    if (env.WHERE === "one object") return env.DESK.getByName("desk").fetch(request);
    const { run } = durableRuns(env.RUNS);
    return runsFetch({ run, authorize: () => ({ person: "ann" }), path: "/api" })(request);
  },
};
