import { declareLicenseChangeLooks } from "../support/license-change-looks.ts";

declareLicenseChangeLooks();
