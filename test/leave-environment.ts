/** Test files share a process, so this restores the environment variables before the next file. */
import { afterAll } from "vitest";

const found = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in found)) delete process.env[name];
  Object.assign(process.env, found);
});
