"use client";
import { Bookmark, BookmarkPlus, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { MenuGroup, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "#components/ui/menu-item.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { DeleteViewDialog, EditViewDialog, SaveViewDialog } from "./saved-view-dialogs.tsx";

/** A view as the menu shows it. */
export interface ViewLine {
  readonly id: number;
  readonly name: string;
  readonly href: string;
  readonly shared: boolean;
  /** Who shares it; null: the reader's own. */
  readonly sharedBy: string | null;
  readonly changeable: boolean;
  /** The list shows it now. */
  readonly current: boolean;
}

export interface ViewInput {
  readonly name: string;
  readonly shared: boolean;
}

export interface ViewActions {
  readonly save: OnceAction<ViewInput & { readonly query: string }>;
  readonly change: OnceAction<ViewInput & { readonly id: number }>;
  readonly remove: OnceAction<{ readonly id: number }>;
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
            <Bookmark aria-hidden className="size-3.5" />
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
          <MenuItem icon={<BookmarkPlus aria-hidden />} onSelect={() => setQuestion("save")}>
            Save as a view…
          </MenuItem>
        )}
        {current?.changeable && (
          <>
            <MenuItem icon={<Pencil aria-hidden />} onSelect={() => setQuestion("edit")}>
              Rename or share “{current.name}”…
            </MenuItem>
            <MenuItem icon={<Trash2 aria-hidden />} onSelect={() => setQuestion("delete")} tone="critical">
              Delete view “{current.name}”…
            </MenuItem>
          </>
        )}
      </DropdownMenu>
      {question === "save" && <SaveViewDialog action={actions.save} onClose={close} query={query} readers={readers} />}
      {question === "edit" && current && (
        <EditViewDialog action={actions.change} onClose={close} readers={readers} view={current} />
      )}
      {question === "delete" && current && (
        <DeleteViewDialog action={actions.remove} onClose={close} readers={readers} view={current} />
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
