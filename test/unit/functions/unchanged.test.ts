import { describe, expect, it } from "vitest";
import { ifChanged } from "#functions/api/unchanged.ts";

const answer = (body: string | null, status = 200) => ({
  status,
  headers: { "Content-Type": "application/json" },
  body,
});
const asked = (httpMethod: string, tag?: string) => ({
  httpMethod,
  headers: tag === undefined ? {} : { "if-none-match": tag },
});
const tagOf = (body: string): string =>
  ifChanged(asked("GET"), answer(body)).headers["ETag"] ?? "none";

describe("an answer that the client has already", () => {
  it("is not sent again", () => {
    const again = ifChanged(asked("GET", tagOf("{}")), answer("{}"));
    expect(again).toMatchObject({ status: 304, body: null, headers: { ETag: tagOf("{}") } });
    for (const given of [`W/${tagOf("{}")}`, `"other", ${tagOf("{}")}`]) {
      expect(ifChanged(asked("GET", given), answer("{}")).status).toBe(304);
    }
  });

  it("is sent whole once it differs, and is kept by no cache", () => {
    const changed = ifChanged(asked("GET", tagOf("{}")), answer("[]"));
    expect(changed).toMatchObject({ status: 200, body: "[]" });
    expect(changed.headers).toMatchObject({
      ETag: tagOf("[]"),
      "Cache-Control": "no-store",
      "Content-Type": "application/json",
    });
  });

  it("is none of a write, and no error", () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect(ifChanged(asked(method, tagOf("{}")), answer("{}"))).toEqual(answer("{}"));
    }
    expect(ifChanged(asked("GET", tagOf("{}")), answer("{}", 404))).toEqual(answer("{}", 404));
  });
});
