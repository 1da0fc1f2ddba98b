import "../src/jitless.ts";
import { render } from "preact";
import { App } from "../src/app.tsx";
import { hashOf } from "../src/route.ts";
import { storeSession } from "../src/session.ts";
import { setTransport } from "../src/transport.ts";
import { openPageApi } from "./page-api.ts";
import { PAGE_URL } from "./page-engine.ts";
import "../src/style.css";

const fetch = openPageApi(Date.now, (error) => console.error(error));
setTransport({ endpoint: PAGE_URL, fetch, isPage: true });
storeSession({ project: "playground", token: null });
if (location.hash.length <= 1) location.hash = hashOf({ screen: "steps", story: null });

const root = document.getElementById("console");
if (root !== null) render(<App />, root);
