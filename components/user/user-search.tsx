"use client";
import { useRouter } from "next/navigation";
import { SearchInput } from "#components/ui/search-input.tsx";

/** The address carries what is searched for. */
export function UserSearch({ q }: { readonly q: string }) {
  const router = useRouter();
  return (
    <div className="mb-3">
      <SearchInput
        className="w-72 max-md:w-full"
        defaultValue={q}
        label="Search users"
        onSearch={(text) =>
          router.replace(text === "" ? "/users" : `/users?${new URLSearchParams({ q: text })}`, { scroll: false })
        }
        placeholder="Name, email or reseller"
      />
    </div>
  );
}
