// The part of the platform's module that the Worker of the tests imports.
declare module "cloudflare:workers" {
  export class DurableObject<Env> {
    constructor(ctx: never, env: Env);
    protected readonly ctx: never;
    protected readonly env: Env;
    fetch(request: Request): Promise<Response>;
    alarm(): Promise<void>;
  }
}
