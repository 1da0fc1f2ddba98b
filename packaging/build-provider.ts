/** `npm run build -- provider` makes what the package `@hearth/provider` holds. */
import { buildProvider } from "./provider.ts";

await buildProvider();
