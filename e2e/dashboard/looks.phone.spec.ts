import { declareLooks } from "../support/looks.ts";

declareLooks();
