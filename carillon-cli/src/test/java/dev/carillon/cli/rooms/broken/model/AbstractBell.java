package dev.carillon.cli.rooms.broken.model;

/** A name that says nothing at its beginning. */
interface AbstractBell {}
