import middy from "@middy/core";
import type { APIGatewayProxyResult } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { conditionalRead } from "#functions/api/around-requests.ts";
import { lambdaContext } from "#host/lambda-events.ts";

const CONTENT = { "Content-Type": "application/json" };

const answer = (httpMethod: string, tag: string | null, body: string, statusCode = 200) => {
  const event = { httpMethod, headers: tag === null ? {} : { "if-none-match": tag } };
  const whole: APIGatewayProxyResult = { statusCode, headers: CONTENT, body };
  const handler = middy(async (_: typeof event) => whole);
  return handler.use(conditionalRead())(event, lambdaContext("api", 10_000));
};

const tagOf = async (body: string): Promise<string> =>
  String((await answer("GET", null, body)).headers?.["ETag"]);

describe("an answer that the client has already", () => {
  it("is not sent again", async () => {
    const tag = await tagOf("{}");
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await answer("GET", given, "{}");
      expect(again).toMatchObject({ statusCode: 304, body: "", headers: { ETag: tag } });
    }
  });

  it("is sent whole once it differs, and is kept by no cache", async () => {
    const changed = await answer("GET", await tagOf("{}"), "[]");
    expect(changed).toMatchObject({ statusCode: 200, body: "[]" });
    expect(changed.headers).toEqual({
      ETag: await tagOf("[]"),
      "Cache-Control": "no-store",
      ...CONTENT,
    });
  });

  it("is none of a write, and no error", async () => {
    const tag = await tagOf("{}");
    const whole = { statusCode: 200, headers: CONTENT, body: "{}" };
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect(await answer(method, tag, "{}")).toEqual(whole);
    }
    expect(await answer("GET", tag, "{}", 404)).toEqual({ ...whole, statusCode: 404 });
  });
});
