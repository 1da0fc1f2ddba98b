import { describe, expect, it } from "vitest";
import { readProjects } from "#providers/openstack/account/projects.ts";

const PROJECT = {
  auth_url: "https://keystone.example:5000/v3/",
  application_credential_id: "21dc",
  secret_env: "DEMO_SECRET",
  region: "RegionOne",
};

const places = {
  file: (path: string) => (path === "/secret" ? "from a file\n" : ""),
  environment: { DEMO_SECRET: "from a variable" },
};

const read = (project: object) =>
  readProjects({ projects: { demo: project } }, "projects.json", places);

describe("the file of --openstack", () => {
  it("names a credential for each project, with its secret from where it is", () => {
    expect(read(PROJECT).get("demo")).toEqual({
      authUrl: "https://keystone.example:5000/v3",
      id: "21dc",
      secret: "from a variable",
      region: "RegionOne",
      interface: "public",
      plainHttp: false,
    });
    const { secret_env: _, ...rest } = PROJECT;
    expect(read({ ...rest, secret_file: "/secret" }).get("demo")?.secret).toBe("from a file");
  });

  it.each<[RegExp, object]>([
    [/projects\.demo\.region/, { ...PROJECT, region: undefined }],
    [/either secret_file or secret_env/, { ...PROJECT, secret_file: "/secret" }],
    [/either secret_file or secret_env/, { ...PROJECT, secret_env: undefined }],
    [/the variable OTHER has no secret/, { ...PROJECT, secret_env: "OTHER" }],
    [/\/empty has no secret/, { ...PROJECT, secret_env: undefined, secret_file: "/empty" }],
    [/clear text/, { ...PROJECT, auth_url: "http://keystone.example:5000/v3" }],
    [/must be a URL/, { ...PROJECT, auth_url: "keystone" }],
    [/projects\.demo: /, { ...PROJECT, secret: "in the file itself" }],
  ])("is refused with %s", (text, project) => {
    expect(() => read(project)).toThrow(text);
  });

  it("may have plain HTTP on this machine, and where the operator says so", () => {
    const local = { ...PROJECT, auth_url: "http://127.0.0.1:5000/v3" };
    expect(read(local).get("demo")?.authUrl).toBe("http://127.0.0.1:5000/v3");
    const inside = { ...PROJECT, auth_url: "http://keystone.example/v3", plain_http: true };
    expect(read(inside).get("demo")?.plainHttp).toBe(true);
  });

  it("must be a map", () => {
    const read = () => readProjects(null, "projects.json", places);
    expect(read).toThrow(/^projects\.json cannot be used: Invalid input: expected object/);
  });
});
