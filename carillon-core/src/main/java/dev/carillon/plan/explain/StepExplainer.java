package dev.carillon.plan.explain;

import dev.carillon.model.Explanation.Step;
import java.util.List;

/** Explains one thing that may have happened to a slot, and says nothing if it did not. */
@FunctionalInterface
interface StepExplainer {
  List<Step> explain(Finding finding);
}
