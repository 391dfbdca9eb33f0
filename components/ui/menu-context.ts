"use client";
import { createContext } from "react";

/** Closes the surrounding menu and gives the focus back to its button. */
export const MenuContext = createContext<() => void>(() => {});
