/** Test files share a process. What one has changed of the variables is undone before the next. */
import { afterAll } from "vitest";

const found = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in found)) delete process.env[name];
  Object.assign(process.env, found);
});
