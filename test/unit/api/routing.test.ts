import { beforeEach, describe, expect, it } from "vitest";
import { at, createStack, openWorld, PUBLIC_URL, textAt, type World } from "./api-world.ts";

const EMPTY = { template: { heat_template_version: "2016-10-14" } };

let world: World;
beforeEach(() => {
  world = openWorld();
});

describe("routing", () => {
  it("answers the version document with 300", async () => {
    const { status, body } = await world.send("GET", "/");
    expect(status).toBe(300);
    expect(at(body, "versions", 0)).toEqual({
      id: "v1.0",
      status: "CURRENT",
      links: [{ rel: "self", href: `${PUBLIC_URL}/v1/` }],
    });
  });

  it("answers the version above all projects, for clients without a catalog", async () => {
    const { status, body } = await world.send("GET", "/v1/");
    expect(status).toBe(200);
    expect(at(body, "version", "links", 0, "href")).toBe(`${PUBLIC_URL}/v1/`);
  });

  it("shows the revision that the operator has set", async () => {
    const { status, body } = await world.send("GET", "/v1/demo/build_info");
    expect(status).toBe(200);
    expect(body).toEqual({ api: { revision: "tested" }, engine: { revision: "tested" } });
  });

  it("answers an unknown path with Heat's error document", async () => {
    const { status, body } = await world.send("GET", "/nowhere");
    expect(status).toBe(404);
    expect(body).toEqual({
      code: 404,
      title: "Not Found",
      explanation: "The resource could not be found.",
      error: {
        type: "HTTPNotFound",
        message: "The resource could not be found.",
        traceback: null,
      },
    });
  });

  it("answers a wrong method on an agent's URL with 405", async () => {
    const { status, headers } = await world.send("GET", "/v1/agent/signal/some-id");
    expect(status).toBe(405);
    expect(headers["Allow"]).toBe("PUT,POST");
  });

  it("answers a wrong method with 405 and the allowed ones", async () => {
    const { status, headers, body } = await world.send("DELETE", "/stacks");
    expect(status).toBe(405);
    expect(headers["Allow"]).toBe("GET,POST");
    expect(at(body, "title")).toBe("Method Not Allowed");
  });

  it("answers OPTIONS with 204 and the allowed methods", async () => {
    const { status, headers } = await world.send("OPTIONS", "/stacks/a/b");
    expect(status).toBe(204);
    expect(headers["Allow"]).toBe("GET,PUT,PATCH,DELETE");
  });

  it("shortens an error that quotes a very long value", async () => {
    const name = "n".repeat(300_000);
    const template = { heat_template_version: "2021-04-16", [name]: {} };
    const { status, body } = await world.send("POST", "/validate", { template });
    const message = textAt(body, "error", "message");
    expect([status, message.length]).toEqual([400, 65_536]);
    expect(message).toMatch(/^The template section is invalid: n+ \.\.\. n+$/);
  });

  it("refuses an impossible project", async () => {
    const { status, body } = await world.send("GET", "/v1/a%2Fb/stacks");
    expect(status).toBe(403);
    expect(at(body, "error", "type")).toBe("Forbidden");
  });

  it("shows the place of an error in a body, but not its text", async () => {
    const { status, body } = await world.send("POST", "/stacks", '{"stack_name": sesame}');
    expect(status).toBe(400);
    expect(at(body, "explanation")).toBe(
      "The server could not comply with the request since it is either malformed or otherwise incorrect.",
    );
    expect(textAt(body, "error", "message")).toContain("The request body is not valid JSON");
    expect(JSON.stringify(body)).not.toContain("sesame");
  });

  it("refuses a body that is nested too deeply", async () => {
    const deep = `{"stack_name": "s", "template": ${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`;
    const { status, body } = await world.send("POST", "/stacks", deep);
    expect(status).toBe(400);
    expect(at(body, "error", "message")).toBe(
      "The request body is nested more than 210 levels deep.",
    );
  });

  it("names the place of a member of a wrong type", async () => {
    const { status, body } = await world.send("POST", "/stacks", { ...EMPTY, stack_name: 7 });
    expect(status).toBe(400);
    expect(textAt(body, "error", "message")).toContain("stack_name");
  });

  it("hides its own errors from the client and reports them to the host", async () => {
    world.store.listNamedStacks = async () => {
      throw new Error("disk on fire");
    };
    const { status, body } = await world.send("GET", "/stacks");
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain("disk");
    expect(world.unexpected).toHaveLength(1);
  });
});

describe("the lookup of a stack", () => {
  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"])(
    "redirects %s of a name to the canonical URL and keeps the query",
    async (method) => {
      const path = await createStack(world, "app", EMPTY);
      const { status, headers } = await world.send(method, "/stacks/app?resolve_outputs=False");
      expect(status).toBe(302);
      expect(headers["Location"]).toBe(`${PUBLIC_URL}/v1/demo${path}?resolve_outputs=False`);
    },
  );

  it.each(["resources", "events", "template", "environment", "files"])(
    "redirects the sub-path %s",
    async (name) => {
      const path = await createStack(world, "app", EMPTY);
      const { headers } = await world.send("GET", `/stacks/app/${name}`);
      expect(headers["Location"]).toBe(`${PUBLIC_URL}/v1/demo${path}/${name}`);
    },
  );

  it("finds a stack by its id and by its ARN, with plain or encoded slashes", async () => {
    const path = await createStack(world, "app", EMPTY);
    const [id = ""] = path.split("/").slice(-1);
    const arn = `arn:openstack:heat::demo:stacks/app/${id}`;
    for (const given of [id, arn, encodeURIComponent(arn)]) {
      const { status, headers } = await world.send("GET", `/stacks/${given}`);
      expect(status).toBe(302);
      expect(headers["Location"]).toBe(`${PUBLIC_URL}/v1/demo${path}`);
    }
  });

  it("keeps what stands behind an ARN, for every method", async () => {
    const path = await createStack(world, "app", EMPTY);
    const [id = ""] = path.split("/").slice(-1);
    const arn = `arn:openstack:heat::demo:stacks/app/${id}`;
    for (const method of ["GET", "PATCH", "DELETE"]) {
      for (const given of [arn, encodeURIComponent(arn)]) {
        const url = `/stacks/${given}/resources/a%20b/metadata?x=1`;
        const { status, headers } = await world.send(method, url);
        expect(status).toBe(302);
        expect(headers["Location"]).toBe(
          `${PUBLIC_URL}/v1/demo${path}/resources/a%20b/metadata?x=1`,
        );
      }
    }
  });

  it("answers 404 EntityNotFound for an unknown name", async () => {
    const { status, body } = await world.send("GET", "/stacks/nosuch");
    expect(status).toBe(404);
    expect(at(body, "error")).toEqual({
      type: "EntityNotFound",
      message: "The Stack (nosuch) could not be found.",
      traceback: null,
    });
  });

  it("does not find the stack of another project", async () => {
    const path = await createStack(world, "app", EMPTY);
    expect((await world.send("GET", `/v1/other/stacks/app`)).status).toBe(404);
    expect((await world.send("GET", `/v1/other${path}`)).status).toBe(404);
  });

  it("does not find an id under another name", async () => {
    const path = await createStack(world, "app", EMPTY);
    const { status } = await world.send("GET", path.replace("/app/", "/other/"));
    expect(status).toBe(404);
  });
});
