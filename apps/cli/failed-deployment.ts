/** Heat's words, as in `resources.group.resources[0].resources.run: Deployment …`. */
const FAILED = ": Deployment to server failed: ";
const PLACE = /^(?:\.?resources(?:\.[\w-]+|\[[^\]]+\]))+$/;
const NAME = /resources(?:\.([\w-]+)|\[["']?([^\]"']+)["']?\])/g;

export const logCommand = (stackName: string, reason: string): string | null => {
  const [before = "", ...after] = reason.split(FAILED);
  const place = before.slice(before.lastIndexOf(" ") + 1);
  if (after.length === 0 || !PLACE.test(place)) return null;
  const names = [...place.matchAll(NAME)].map(([, plain, quoted]) => plain ?? quoted);
  return `hearth deployment logs ${stackName} ${names.join("/")} --stderr`;
};
