"use client";
import { Bookmark, BookmarkPlus, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { change, remove, save } from "#app/(dashboard)/views/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { TextField } from "#components/ui/field.tsx";
import { MenuGroup, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "#components/ui/menu-item.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import type { SavedView } from "#lib/services/saved-view/list.ts";

/** A view as the menu shows it. */
export interface ViewLine extends Omit<SavedView, "query"> {
  readonly href: string;
  /** The list shows it now. */
  readonly current: boolean;
}

export interface ViewActions {
  readonly save: Bound<typeof save>;
  readonly change: typeof change;
  readonly remove: typeof remove;
}

export interface SavedViewMenuProps {
  readonly views: readonly ViewLine[];
  /** Of the list as it is; empty: nothing is chosen. */
  readonly query: string;
  /** Whom sharing reaches: "your team". */
  readonly readers: string;
  readonly actions: ViewActions;
}

type Question = "save" | "edit" | "delete";

/** The saved views of a list; what the list shows now can be saved as one. The URL stays the state. */
export function SavedViewMenu({ views, query, readers, actions }: SavedViewMenuProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const close = () => setQuestion(null);
  const current = views.find((view) => view.current);
  const own = views.filter(({ sharedBy }) => sharedBy === null);
  const others = views.filter(({ sharedBy }) => sharedBy !== null);
  return (
    <>
      <DropdownMenu
        label={current ? `Views: ${current.name}` : "Views"}
        size="md"
        trigger={
          <>
            <Bookmark />
            <span className="max-w-40 truncate max-md:sr-only">{current?.name ?? "Views"}</span>
          </>
        }
        variant="secondary"
      >
        {views.length === 0 && (
          <MenuLabel>A view is a name for filters and an order. Choose some, then save them here.</MenuLabel>
        )}
        {own.length > 0 && <ViewGroup label="Your views" views={own} />}
        {others.length > 0 && <ViewGroup label="Shared with you" views={others} />}
        {query !== "" && <MenuSeparator />}
        {query !== "" && !current && (
          <MenuItem icon={<BookmarkPlus />} onSelect={() => setQuestion("save")}>
            Save as a view
          </MenuItem>
        )}
        {current?.changeable && (
          <>
            <MenuItem icon={<Pencil />} onSelect={() => setQuestion("edit")}>
              Rename or share “{current.name}”
            </MenuItem>
            <MenuItem icon={<Trash2 />} onSelect={() => setQuestion("delete")} tone="critical">
              Delete view “{current.name}”
            </MenuItem>
          </>
        )}
      </DropdownMenu>
      {question === "save" && (
        <ConfirmChange
          action={actions.save}
          confirmLabel="Save view"
          description="The filters and the order of this list, under a name."
          done="View saved"
          input={(textOf) => ({ query, shared: textOf("shared") !== "" })}
          onClose={close}
          title="Save as a view"
        >
          <ViewFields readers={readers} />
        </ConfirmChange>
      )}
      {question === "edit" && current && (
        <ConfirmChange
          action={actions.change}
          confirmLabel="Save view"
          done="View changed"
          input={(textOf) => ({ id: current.id, shared: textOf("shared") !== "" })}
          onClose={close}
          title="Rename or share the view"
        >
          <ViewFields name={current.name} readers={readers} shared={current.shared} />
        </ConfirmChange>
      )}
      {question === "delete" && current && (
        <ConfirmChange
          action={actions.remove}
          confirmLabel="Delete view"
          description={
            current.shared ? `It is deleted for ${readers}, too. The list stays as it is.` : "The list stays as it is."
          }
          done="View deleted"
          input={{ id: current.id }}
          onClose={close}
          title={`Delete “${current.name}”?`}
          tone="critical"
        />
      )}
    </>
  );
}

function ViewGroup({ label, views }: { readonly label: string; readonly views: readonly ViewLine[] }) {
  return (
    <MenuGroup label={label}>
      {views.map(({ id, name, href, shared, sharedBy, current }) => (
        <MenuLink href={href} key={id} trailing={<ViewNote note={sharedBy ?? (shared ? "Shared" : "")} />}>
          <span className={current ? "wrap-anywhere font-medium text-accent-text" : "wrap-anywhere"}>{name}</span>
        </MenuLink>
      ))}
    </MenuGroup>
  );
}

function ViewNote({ note }: { readonly note: string }) {
  return note !== "" && <span className="max-w-24 truncate text-text-muted text-xs">{note}</span>;
}

interface ViewFieldsProps {
  readonly name?: string;
  readonly shared?: boolean;
  readonly readers: string;
}

function ViewFields({ name = "", shared = false, readers }: ViewFieldsProps) {
  return (
    <>
      <TextField autoComplete="off" data-autofocus defaultValue={name} label="Name" name="name" />
      <Checkbox
        defaultChecked={shared}
        hint="They see the same filters, applied to what their role lets them see."
        label={`Share with ${readers}`}
        name="shared"
      />
    </>
  );
}
