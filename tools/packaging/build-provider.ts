/** `npm run build -- provider` builds the package `@hearth/provider`. */
import { buildProvider } from "./provider.ts";

await buildProvider();
