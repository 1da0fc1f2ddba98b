import { afterEach, describe, expect, it } from "vitest";
import { startHost } from "#host/host.ts";
import { type TextThreads, textThreads } from "#host/text-reader.ts";
import { TEMPLATE_BYTES_MAX } from "#lib/engine/stacks/target-source.ts";
import { RetryLater } from "#lib/errors.ts";
import { readText } from "#lib/template/parse/parse.ts";
import { at, send, waitForStack } from "./host-client.ts";

let threads: TextThreads | null = null;
afterEach(() => threads?.close());
const opened = (...options: Parameters<typeof textThreads>): TextThreads => {
  threads = textThreads(...options);
  return threads;
};

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `key${at}: {list: [a, ${at}]}\n`).join("");

describe("the threads that read texts", () => {
  it("give what reading in place gives, for a document and for a problem", async () => {
    const reader = opened();
    for (const text of [
      lines(2_000),
      "a: 1.0\nb: 123456789012345678\n",
      "a: [",
      "",
      "a: !tag b",
      "[".repeat(100_000),
    ]) {
      expect(await reader.read(text)).toEqual(readText(text));
    }
  });

  it("leave this thread free while they read", async () => {
    const reading = opened().read(lines(5_000));
    let turns = 0;
    let isRead = false;
    const count = (): void => {
      turns += 1;
      if (!isRead) setImmediate(count);
    };
    count();
    await reading;
    isRead = true;
    // Reading in this thread would give no turn at all.
    expect(turns).toBeGreaterThan(100);
  });

  it("read a template while several long files are read", async () => {
    const reader = opened();
    const done: string[] = [];
    const long = lines(TEMPLATE_BYTES_MAX / 16);
    const files = [long, long].map((text) =>
      reader.read(text).then(
        () => done.push("file"),
        () => done.push("closed"),
      ),
    );
    await reader.read(lines(10)).then(() => done.push("template"));
    expect(done).toEqual(["template"]);
    reader.close();
    await Promise.all(files);
    expect(done).toEqual(["template", "closed", "closed"]);
  });

  it("give up a text that takes too long, and read the next one", async () => {
    // A busy machine may need more than a second to start a thread for the next text.
    const reader = opened({ readMsMax: 5_000 });
    expect(await reader.read(lines(1_000_000))).toEqual({
      problem: "reading it takes longer than 5000 ms",
    });
    expect(await reader.read("a: 1")).toEqual({ document: { a: 1 } });
  });

  it("refuse texts when too many wait, and those that are not read at the end", async () => {
    const reader = opened({ waitingCharsMax: 10 });
    await expect(reader.read("x".repeat(11))).rejects.toBeInstanceOf(RetryLater);
    const last = reader.read("a: 1");
    reader.close();
    await expect(last).rejects.toBeInstanceOf(RetryLater);
  });
});

describe("a large template on a host", () => {
  it("is accepted, and its problems are told as for a small one", async () => {
    const host = await startHost({ port: 0, data: null });
    try {
      const comment = `# ${"x".repeat(70_000)}\n`;
      const template = `${comment}heat_template_version: 2016-10-14\nresources:\n  a: {type: OS::Heat::None}\n`;
      const nested = { "type.yaml": template };
      const body = {
        stack_name: "large",
        template: `${comment}heat_template_version: 2016-10-14\nresources:\n  b: {type: type.yaml}\n`,
        environment: `${comment}parameter_defaults: {a: b}\n`,
        files: nested,
      };
      expect((await send(host.url, "POST", "/v1/demo/stacks", body)).status).toBe(201);
      expect(await waitForStack(host.url, "large")).toBe("CREATE_COMPLETE");
      const shown = await send(host.url, "GET", "/v1/demo/stacks/large/environment");
      expect(at(shown.body, "parameter_defaults", "a")).toBe("b");
      const wrong = { ...body, stack_name: "wrong", template: `${comment}a: [` };
      const refused = await send(host.url, "POST", "/v1/demo/stacks", wrong);
      expect(refused.status).toBe(400);
      expect(at(refused.body, "error", "message")).toMatch(
        /^Template not in valid format: .*line 2/s,
      );
    } finally {
      await host.stop();
    }
  });
});
