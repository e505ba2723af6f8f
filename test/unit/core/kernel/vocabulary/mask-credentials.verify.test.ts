// Credentials in what others say: found by the names they stand under, by their shape, and by being
// known; and what is none is left as it is.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../../src/core/kernel/values/index.js";
import { isSecretKey, maskCredentials } from "../../../../../src/core/kernel/vocabulary/index.js";

const M = "[masked]";

describe("texts of great length", () => {
  it.each([
    "*key-",
    "sk-",
    "a ",
    '--key "',
    "secret='",
    "Basic ",
    "eyJaaaaaaaaa.",
    "-----BEGIN A",
    "://a:",
  ])("cost what they are long: %j", (unit) => {
    expect(maskCredentials(unit.repeat(1_000_000 / unit.length))).toBeTypeOf("string");
  });
});

describe("texts", () => {
  it.each([
    // By name.
    ["Authorization: Bearer abc def\nnext: ok", `Authorization: ${M}\nnext: ok`],
    ["authorization=Basic dXNlcjpwYXNz", `authorization=${M}`],
    ["x-api-key: abc, n: 1", `x-api-key: ${M}, n: 1`],
    ['{"x-api-key":"a \\" b","n":"x"}', `{"x-api-key":"${M}","n":"x"}`],
    ['{\\"x-api-key\\":\\"abc\\",\\"n\\":1}', `{\\"x-api-key\\":\\"${M}\\",\\"n\\":1}`],
    ["message: x-goog-api-key: abc", `message: x-goog-api-key: ${M}`],
    ["Cookie: a=b; c=d\nfoo: bar", `Cookie: ${M}\nfoo: bar`],
    ["password='hunter2' rest", `password='${M}' rest`],
    ["apiToken = abc;", `apiToken = ${M};`],
    ["a=1 token=abc b=2 secret=def", `a=1 token=${M} b=2 secret=${M}`],
    // By scheme.
    ["the Bearer hunter22 was refused", `the Bearer ${M} was refused`],
    ["bearer abc.def-ghi~1+/=", `bearer ${M}`],
    ["Basic dXNlcjpwYXNz is wrong", `Basic ${M} is wrong`],
    // By shape.
    ["Incorrect API key provided: sk-abcd****wxyz. You", `Incorrect API key provided: ${M}. You`],
    ["sk-proj-AbC_123-xyz and sk-ant-api03-abcdefgh", `${M} and ${M}`],
    ["gsk_abcdefghij1234567890", M],
    ["key AIzaSyA1234567890abcdefghijklmnopq!", `key ${M}!`],
    ["AKIAIOSFODNN7EXAMPLE", M],
    ["ghp_abcdefghij1234567890", M],
    ["xoxb-123456789-abc", M],
    ["ya29.a0AfH6SMBx", M],
    ["at eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln!", `at ${M}!`],
    ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----.", `${M}.`],
    ["-----BEGIN PRIVATE KEY-----\ncut of", M],
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw/+==,", `${M},`],
    ["sq0atp-6ix-BqnUSTn0mZ6yzx1yTw", M],
    ["sk-ant-api03-abcDEF123456-AA.", `${M}.`],
    ["gho_abcdefghijABCDEFGHIJklmnopqrstUVWXYZ", M],
    ["github_pat_11ABCDEFG0abcdefghijkl_mnop1234567890", M],
    ["xapp-1-A012-3456-abcdef", M],
    ["glpat-abcdEFGH1234ijklMNOP, glrt-abcdEFGH1234ijklMNOP", `${M}, ${M}`],
    ["npm_abcdEFGH1234ijklMNOPqrstUVWX5678yz", M],
    ["hf_abcdEFGHijklMNOPqrstUVWXyzABCDEFGH", M],
    ["SG.abcdefghijklmnop.qrstuvwxyz1234567890", M],
    ["shpat_abcdef0123456789abcdef0123456789", M],
    ["dckr_pat_abcdEFGH1234ijkl", M],
    ["hvs.CAESIJabcdefghijklmn1234567890", M],
    [
      "bot123456789:ABC-DEF1234ghIkl-zyx57W2v1u123ew11",
      `bot123456789:ABC-DEF1234ghIkl-zyx57W2v1u123ew11`,
    ],
    ["123456789:ABC-DEF1234ghIkl-zyx57W2v1u123ew11", M],
    ["AGE-SECRET-KEY-1QQPQQ", M],
    ["-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc\n-----END PGP PRIVATE KEY BLOCK-----.", `${M}.`],
    ["-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----.", `${M}.`],
    // As flags, and as a person says it.
    ["psql --password hunter2 -h x", `psql --password ${M} -h x`],
    ["--password=hunter2", `--password=${M}`],
    ["x --api-key 'abc def' --verbose", `x --api-key ${M} --verbose`],
    ["curl -u ada:hunter2 https://x", `curl -u ${M} https://x`],
    ["curl --user=ada:hunter2", `curl --user=${M}`],
    ["The password is hunter2.", `The password is ${M}.`],
    ["my api key is 'correct horse', ok", `my api key is ${M}, ok`],
    ["passwords are s3cr3t!x and", `passwords are ${M} and`],
    ["dbPass=hunter2; pin: x12; otp=ab1", `dbPass=${M}; pin: ${M}; otp=${M}`],
    // In addresses.
    ["postgres://user:pw@host/db", `postgres://${M}@host/db`],
    ["postgres://user:p@ss@host/db", `postgres://${M}@host/db`],
    ["redis://:pw@host:6379", `redis://${M}@host:6379`],
    [
      "POST https://hooks.slack.com/services/T0/B0/abcXYZ failed",
      `POST https://hooks.slack.com/services/${M} failed`,
    ],
    ["https://user:pw@host/x?key=abc&b=1", `https://${M}@host/x?key=${M}&b=1`],
    ["https://h/x?X-Amz-Signature=abc&a=b", `https://h/x?X-Amz-Signature=${M}&a=b`],
  ])("lose %j", (text, masked) => {
    expect(maskCredentials(text)).toBe(masked);
  });

  it.each([
    "Bearer authentication is required",
    "invalid x-api-key",
    "Basic understanding",
    "maximum context length is 128000 tokens: 4096",
    "token: null, password: true, secret: 12",
    'password: ""',
    "task-12345678901234567890",
    "ask-me-anything-you-like",
    "https://host:8080/a@b?keyboard=1",
    "the flag --password is required, --api-key must not be empty, --token or --verbose",
    "--password --verbose",
    "The password is required. The token is expired, the secret is too short, the api key is invalid!",
    "The password is incorrect-ish: passwords are 12 characters or more",
    "jwtExpiry: 15m, passwordPolicy=strict, cookieDomain: x.org, secretName: db-main",
    "http://host:8080/users/@me and ssh://git@github.com:22",
    "a file sq0.txt, an id hvs.1, key-value and gl-light",
    "12:30:45 2026-01-31T12:00:00.000Z",
    "Unexpected token } in JSON at position 12",
    "The stream ended before the answer did.",
  ])("that hold none are as they were: %j", (text) => {
    expect(maskCredentials(text)).toBe(text);
  });

  it.each([
    // A quote within a quoted value is escaped once more than the quotes around it.
    ['{"secret":"a\\"b c\\\\","n":1}', `{"secret":"${M}","n":1}`],
    ['"{\\"token\\":\\"a\\\\\\"b\\",\\"n\\":1}"', `"{\\"token\\":\\"${M}\\",\\"n\\":1}"`],
    // Connection strings.
    ["Host=h;Password=two words;Port=1", `Host=h;Password=${M};Port=1`],
    ["Password=two words;Host=h", `Password=${M};Host=h`],
    ['"Data Source=h;Uid=u;Pwd=it is long"', `"Data Source=h;Uid=u;Pwd=${M}"`],
    ["Secret={a;b}}c};Uid=sa", `Secret=${M};Uid=sa`],
    ["mongodb://app:sl/ash@db:27017/x", `mongodb://${M}@db:27017/x`],
    // Beside the name, with no sign between the two.
    ["Invalid API key provided: 7f3a9c0d1e2b4f5a", `Invalid API key provided: ${M}`],
    ["access token ab12cd34ef56gh78ij was revoked", `access token ${M} was revoked`],
    ["secret 123456789012345678", `secret ${M}`],
    // A word that tells of nothing.
    ["password: letmein", `password: ${M}`],
    ["token=expired", `token=${M}`],
    ["secret: not-my-password", `secret: ${M}`],
    ["password: Invalid1!", `password: ${M}`],
    ["Invalid token: 'abcdefgh'", `Invalid token: '${M}'`],
    ["the cookie: session=abc; SameSite=None", `the cookie: ${M}`],
  ])("lose, too, %j", (text, masked) => {
    expect(maskCredentials(text)).toBe(masked);
  });

  it.each([
    "secret: missing, see the manual",
    "apiKey: is required",
    "access_token: token_expired",
    "client_secret: invalid-client",
    "credentials: Expected an object, got a list",
    "passphrase: can't be blank",
    'token: "not found"',
    "password = too short (minimum is 12 characters)",
    '{"errors":{"password":"must contain a digit"}}',
    "Unexpected token: ';' in line 7",
    "cookie: missing SameSite attribute",
    "set-cookie: SameSite=Lax; Secure; Path=/ is what it takes",
    "Authorization: required for /v1",
    "the token 3 of line 12, the password policy of 2024-01-01",
    "http://host:8080/users/@me",
  ])("that say what is wrong with one stay as they were: %j", (text) => {
    expect(maskCredentials(text)).toBe(text);
  });

  it("lose what is known, whatever it looks like, and the longest first", () => {
    const known = ["odd key", "odd key 2", "short"];
    expect(maskCredentials("the odd key 2, odd key; short", known)).toBe(`the ${M}, ${M}; short`);
  });
});

describe("JSON", () => {
  it("loses the texts under names that carry credentials, and no others", () => {
    const value = {
      error: { param: "max_tokens", usage: { tokens: 5, token: 5 } },
      headers: { Authorization: "x", "Set-Cookie": ["a", "b"], "x-request-id": "r" },
      apiKey: { nested: "sk-abcdefgh1", plain: "kept" },
      list: ["Bearer q1", 1, null, true],
      "sk-abcdefgh1": "a key",
      secret: "",
    };
    expect(maskCredentials(value)).toEqual({
      error: { param: "max_tokens", usage: { tokens: 5, token: 5 } },
      headers: { Authorization: M, "Set-Cookie": [M, M], "x-request-id": "r" },
      apiKey: { nested: M, plain: "kept" },
      list: [`Bearer ${M}`, 1, null, true],
      [M]: "a key",
      secret: "",
    });
  });

  it("keeps what is said of a secret, under its name", () => {
    const errors = { password: ["must have 12 characters", "hunter2"], token: "expired" };
    expect(maskCredentials(errors)).toEqual({ ...errors, password: [errors.password[0], M] });
  });

  it("keeps its form, and masked twice is masked once", () => {
    fc.assert(
      fc.property(fc.jsonValue() as fc.Arbitrary<Json>, (value) => {
        const masked = maskCredentials(value);
        expect(maskCredentials(masked)).toEqual(masked);
        expect(typeof masked).toBe(typeof value);
      }),
    );
  });

  it("holds no known credential, wherever that stood", () => {
    const place = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        fc.string().map((text) => `${text}hunter-two${text}`),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie("value"), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(place, (value) => {
        expect(JSON.stringify(maskCredentials(value, ["hunter-two"]))).not.toContain("hunter-two");
      }),
    );
  });
});

describe("a long key", () => {
  it("of a million capitals is looked at", () => {
    // What is not linear takes longer than any test may.
    expect(isSecretKey("A".repeat(1_000_000))).toBe(false);
    expect(isSecretKey("a1".repeat(500_000))).toBe(false);
  });
});

describe("long texts", () => {
  it.each([
    "a=b ",
    "x",
    "token: ",
    "Bearer ",
    '"',
    "\\",
    "eyJ",
    "://a:",
    "sk-a",
    "key-",
    " ",
    "-----BEGIN PRIVATE KEY-----",
    "x-api-key:'",
    "authorization: ",
    "--password ",
    "--password",
    "-u a:",
    "password is ",
    "password is a",
    "://:@",
    "whsec_/",
    "dp.st.a",
    "1:",
    "secret_",
    "hooks.slack.com/services/",
    "password: must ",
    "cookie: SameSite=a ",
    "Secret={",
    "a=b;Secret=",
    "token 1",
    "api key provided: ",
    'token:\\"',
    "://a:/",
    "unexpected ",
  ])("take no longer than their length: %j", (piece) => {
    // What is not linear takes longer than any test may.
    expect(typeof maskCredentials(piece.repeat(500_000 / piece.length))).toBe("string");
  });
});

describe("texts of errors, of which all words stay but the secrets", () => {
  const names = fc.constantFrom(
    "password",
    "api_key",
    "accessToken",
    "secret",
    "jwt",
    "otp",
    "cookie",
  );
  const reasons = fc.constantFrom(
    "must have at least 12 characters",
    "expired, ask for a new one",
    "malformed",
    "invalid_grant",
    "expected ')' but got ']'",
    "cannot be read",
    "not found in the vault",
  );
  const letters = fc.constantFrom(..."abcXYZ0189!%+_");
  const secrets = fc
    .tuple(fc.array(letters, { minLength: 8, maxLength: 20 }), fc.nat({ max: 9 }))
    .map(([each, digit]) => `${each.join("")}${digit}q`);

  it("a reason stays, a secret beside it goes", () => {
    fc.assert(
      fc.property(names, reasons, names, secrets, (name, reason, other, secret) => {
        const said = `${name}: ${reason}\n`;
        for (const form of [
          `${other}: ${secret}`,
          `"${other}":"${secret}"`,
          `${other}=${secret}`,
        ]) {
          const masked = maskCredentials(`${said}${form}\n${said}`);
          expect(masked.split(said).length).toBe(3);
          expect(masked).not.toContain(secret);
        }
      }),
    );
  });
});
