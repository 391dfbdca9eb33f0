import { declareLicenseListLooks } from "../support/license-list-looks.ts";

declareLicenseListLooks();
