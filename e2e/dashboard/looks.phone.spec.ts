import { declareLooks } from "../support/looks.ts";

declareLooks("light");
declareLooks("dark");
