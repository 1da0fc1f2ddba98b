import { describe, expect, it } from "vitest";
import { proxyResult } from "#functions/http-event.ts";
import { emptyResponse, jsonResponse } from "#lib/api/http.ts";

describe("an answer through API Gateway", () => {
  it("has another type than JSON if it is empty, because clients complain about empty JSON", () => {
    const location = { Location: "http://hearth.test/v1/demo/stacks/app/1" };
    expect(proxyResult(emptyResponse(302, location))).toEqual({
      statusCode: 302,
      headers: { "Content-Type": "text/plain", ...location },
      body: "",
    });
    const own = { "Content-Type": "text/x-shellscript" };
    expect(proxyResult(emptyResponse(200, own)).headers).toEqual(own);
  });

  it("keeps the type of its body", () => {
    expect(proxyResult(jsonResponse(202, null))).toEqual({
      statusCode: 202,
      headers: { "Content-Type": "application/json" },
      body: "null",
    });
  });
});
