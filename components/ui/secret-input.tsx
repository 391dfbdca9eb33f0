"use client";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { IconButton } from "./icon-button.tsx";
import { Input, type InputProps } from "./input.tsx";

/** For passwords and other secrets: hidden until its button shows what is typed. */
export function SecretInput({ type, ...input }: InputProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Input
      {...input}
      button={
        <IconButton
          aria-pressed={shown}
          icon={<Icon aria-hidden className="size-4" />}
          label={shown ? "Hide what is typed" : "Show what is typed"}
          onClick={() => setShown(!shown)}
          size="sm"
        />
      }
      type={shown ? "text" : type}
    />
  );
}
