// Keys that look like secrets, by whole words.
import { describe, expect, it } from "vitest";
import { isSecretKey, secretPaths } from "../../../../../src/core/kernel/vocabulary/index.js";

describe("a key names a secret by whole words", () => {
  const secret =
    "token apiToken api_token API-TOKEN apikey apiKey api_key APIKey openaiApiKey X-API-Key password " +
    "userPassword passwd secret client_secret clientSecret authorization credential credentials " +
    "privateKey private_key accessKey access.key authToken bearer token2fa.token " +
    "passwords apiKeys api_keys APIKeys apikeys secrets clientsecret clientSecrets dbpassword " +
    "OPENAI_KEY STRIPE_KEYS MY_SERVICE_KEY openaiKey openai-key openaikey jwt jwts cookie cookies " +
    "sessionCookie set-cookie connectionString connection_strings connectionstring passphrase " +
    "passPhrases pwd dbPwd accessTokens refreshToken authTokens bot_tokens password2 apiKey1 " +
    "DATABASE_URL mongoUri signingKey sshKey creds AWS_SECRET_ACCESS_KEY dbPass smtpPass DB_PASS dbpass " +
    "pin PIN userPin pinCode otp otpCode pwd totp totpSecret cvv cvc mfaCode recoveryCodes secretId " +
    "passwordHash newPassword passwordConfirmation webhookSecret policySecret " +
    "ZEBRA_KEY Z_KEY Z9_KEYS cookieJar cookieHeader cookieValue redisPass POSTGRES_PASS loginPass";
  for (const key of secret.split(" ")) {
    it(`${key} does`, () => expect(isSecretKey(key)).toBe(true));
  }

  const plain =
    "maxTokens max_tokens tokens tokenizer secretary passwordless keyboard api key monkey accessible " +
    "region inputTokens authorizations bearing public_key x tokenBudget token_budget TOKEN_BUDGET " +
    "MAX_TOKENS totalTokens tokenCount tokenLimit tokensUsed keys primaryKey PRIMARY_KEY CACHE_KEY " +
    "PUBLIC_KEY cookieConsent idempotencyKey sortKey keynote cookiecutter url baseUrl connection " +
    "string address pass success process class passes passRate bypass passport passThrough jwtExpiry " +
    "jwtIssuer passwordPolicy passwordMinLength passwordChangedAt secretName secretArn secretVersion " +
    "credentialsProvider apiKeyName cookiePolicy cookieDomain hasPassword requirePassword otpLength " +
    "otpEnabled maxToken tokenPrice slackKeyIndex redisPassRate " +
    "pinned pinning pins pinLength opinion spinner code zipCode statusCode option hotpot";
  for (const key of plain.split(" ")) {
    it(`${key} does not`, () => expect(isSecretKey(key)).toBe(false));
  }
});

describe("secrets within a value", () => {
  it("are named by their paths, at any depth, and not looked into", () => {
    const value = {
      region: "eu",
      apiKey: { token: "x" },
      nested: [{ "auth token": 1 }, { deep: { password: null } }],
    };
    expect(secretPaths(value, "deps")).toEqual([
      "deps.apiKey",
      'deps.nested[0]["auth token"]',
      "deps.nested[1].deep.password",
    ]);
  });

  it("nothing is found in what is not an object", () => {
    for (const value of [undefined, null, "token", 1, []]) expect(secretPaths(value)).toEqual([]);
  });
});
