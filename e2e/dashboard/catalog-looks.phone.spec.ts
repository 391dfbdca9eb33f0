import { declareCatalogLooks } from "../support/catalog-looks.ts";

declareCatalogLooks();
