"use server";
import { z } from "zod";
import { id } from "#app/(dashboard)/fields.ts";
import { readViewQuery, savedListPaths } from "#components/saved-view/lists.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { savedListNames } from "#lib/domain/saved-view.ts";
import { changeView } from "#lib/services/saved-view/change.ts";
import { deleteView } from "#lib/services/saved-view/delete.ts";
import { saveView } from "#lib/services/saved-view/save.ts";

const fields = { name: z.string(), shared: z.boolean() };

/** Only what the list understands is stored. */
export const save = defineAction({
  name: "views.save",
  bound: z.strictObject({ list: z.enum(savedListNames) }),
  input: z.strictObject({ ...fields, query: z.string() }),
  revalidateOnSuccess: savedListPaths,
  run: (ctx, { query, ...view }, { list }) => saveView(ctx, { ...view, list, query: readViewQuery(list, query) }),
});

export const change = defineAction({
  name: "views.change",
  input: z.strictObject({ ...fields, id: id() }),
  revalidate: savedListPaths,
  run: changeView,
});

export const remove = defineAction({
  name: "views.remove",
  input: z.strictObject({ id: id() }),
  revalidate: savedListPaths,
  run: deleteView,
});
