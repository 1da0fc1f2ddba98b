/** Looks for the first violation in the small configurations; prints it in a line, or nothing. What hunts mutants. */
import { configurations } from "./configurations.ts";
import { Search } from "./search.ts";

const statesMax = Number(process.argv[2] ?? "20000");
const count = Number(process.argv[3] ?? "300");

const firstViolation = async (): Promise<string | null> => {
  for (const config of configurations().slice(0, count)) {
    const { violation } = await (await Search.of(config)).run({ statesMax });
    if (violation !== null) return `"${config.title}": ${violation.what}`;
  }
  return null;
};

const found = await firstViolation();
if (found !== null) console.log(found);
