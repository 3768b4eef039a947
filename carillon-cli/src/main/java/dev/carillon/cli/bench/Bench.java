package dev.carillon.cli.bench;

import dev.carillon.bench.Drain;
import dev.carillon.bench.Drift;
import dev.carillon.bench.Figures;
import dev.carillon.bench.Progress;
import java.util.Optional;
import java.util.Set;

/** Measures on an open site, each time in a database that exists for that alone. */
public final class Bench {
  private final Site site;
  private final Effort effort;
  private final Progress progress;

  public Bench(Site site, Effort effort, Progress progress) {
    this.site = site;
    this.effort = effort;
    this.progress = progress;
  }

  /** Measure what is asked for. */
  public Report run(Set<Measure> measures) throws InterruptedException {
    site.leftovers()
        .forEach(
            name ->
                progress.note(
                    "database %s seems left by a bench that was killed; drop it with: drop database %s;"
                        .formatted(name, name)));
    Ground ground = survey();
    ground.warnings().forEach(warning -> progress.note("warning: " + warning));
    return new Report(
        ground,
        measures.contains(Measure.DRAIN) ? Optional.of(drain()) : Optional.empty(),
        measures.contains(Measure.DRIFT) ? Optional.of(drift()) : Optional.empty(),
        measures.contains(Measure.GROWTH) ? Optional.of(growth()) : Optional.empty());
  }

  private Ground survey() {
    progress.step("ground", "timing round trips and commits");
    Scratch database = site.create();
    Ground ground = Ground.survey(site, database);
    progress.end(
        "%s, %s".formatted(Figures.millis(ground.roundTrip()), Figures.millis(ground.commit())));
    site.remove(database);
    return ground;
  }

  private Drain.Outcome drain() throws InterruptedException {
    Scratch database = create(Measure.DRAIN);
    var drain = new Drain(database, new Nodes(database, progress), Measure.DRAIN.title(), progress);
    drain.measure("warm-up", effort.warmUpRuns());
    Drain.Outcome outcome = drain.measure(Figures.whole(effort.runs()) + " runs", effort.runs());
    site.remove(database);
    return outcome;
  }

  private Drift.Outcome drift() throws InterruptedException {
    Scratch database = create(Measure.DRIFT);
    Drift.Outcome outcome =
        new Drift(database, new Nodes(database, progress), Measure.DRIFT.title(), "", progress)
            .measure(effort.drift(), false);
    site.remove(database);
    return outcome;
  }

  private Growth.Outcome growth() throws InterruptedException {
    Scratch empty = create(Measure.GROWTH);
    Scratch crowded = create(Measure.GROWTH);
    Growth.Outcome outcome = new Growth(empty, crowded, progress).measure(effort);
    site.remove(empty);
    site.remove(crowded);
    return outcome;
  }

  private Scratch create(Measure measure) throws InterruptedException {
    progress.step(measure.title(), "creating a database");
    Scratch database = site.create();
    try (var opened = new Nodes(database, progress).open()) {
      opened.contender().install();
    }
    return database;
  }
}
